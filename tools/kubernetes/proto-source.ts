// The messages of a published generated.proto, as far as its generator writes them: flat messages of fields and maps.

export interface ProtoField {
  readonly number: number;
  readonly name: string;
  readonly label: 'optional' | 'repeated' | 'map';
  /** A scalar, a message of the same file, or a message by its full name with a leading dot; of a map, that of its values. */
  readonly type: string;
}

export interface ProtoFile {
  /** `k8s.io.api.core.v1` */
  readonly name: string;
  readonly messages: ReadonlyMap<string, readonly ProtoField[]>;
}

const packageLine = /^package ([\w.]+);$/m;
const messageBlock = /^message (\w+) \{\n([^]*?)^\}/gm;
const fieldLine = /^(?:(optional|repeated) ([\w.]+)|map<string, ([\w.]+)>) (\w+) = (\d+);$/;

function fieldOf(line: string, message: string): ProtoField {
  const found = fieldLine.exec(line);
  if (found === null) throw new Error(`${message}: cannot read "${line}"`);
  const [, label = 'map', plain, ofMap, name = '', number] = found;
  return { number: Number(number), name, label: label as ProtoField['label'], type: plain ?? ofMap ?? '' };
}

function fieldsOf(body: string, message: string): ProtoField[] {
  const lines = body.split('\n').map((line) => line.trim());
  return lines.filter((line) => line !== '' && !line.startsWith('//')).map((line) => fieldOf(line, message));
}

/** Reads one file; a line that is neither a comment nor a field is an error. */
export function parseProto(source: string): ProtoFile {
  const name = packageLine.exec(source)?.[1];
  if (name === undefined) throw new Error('the file names no package');
  const blocks = [...source.matchAll(messageBlock)];
  return {
    name,
    messages: new Map(blocks.map(([, message = '', body = '']) => [message, fieldsOf(body, `${name}.${message}`)])),
  };
}
