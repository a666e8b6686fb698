export const telemetryCodes = {
  METRIC_INVALID: {
    cause: 'A metric is declared in a way that Prometheus cannot read.',
    cure: "correct what the message names; a good one is counter('shop_orders_total', { help: 'Orders by result.', labels: { result: ['ok', 'failed'] } })",
  },
  METRIC_NAME_TAKEN: {
    cause: "Two metrics would have the same name, or one has a prefix reserved for Kilter's own.",
    cure: 'start the name with that of your operator, for example shop_orders_total',
  },
  METRIC_UNDECLARED: {
    cause: 'A metric is used that the operator does not declare.',
    cure: 'name it in operator({ metrics: [...] })',
  },
  METRIC_USE_INVALID: {
    cause: 'A metric was given labels or a value it cannot have.',
    cure: 'name each declared label with one of its values, and a number; counters only grow',
  },
  METRIC_SERIES_LIMIT: {
    cause: 'The label values of a metric have no bound: every new combination would be kept for ever.',
    cure: 'use labels with few values, never the name of an object; raise maxSeries if the values are bounded',
  },
  METRIC_REGISTRY_FAILED: {
    cause: 'A registry in operator({ registries }) could not be read.',
    cure: 'fix the collector the message names; what the others measure is served without it',
  },
} as const;
