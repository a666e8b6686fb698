// The types of meta/v1 that built-in kinds share and that kilter/api does not hold.

export interface LabelSelector {
  matchExpressions?: LabelSelectorRequirement[] | undefined;
  matchLabels?: Record<string, string> | undefined;
}

export interface LabelSelectorRequirement {
  key: string;
  operator: string;
  values?: string[] | undefined;
}
