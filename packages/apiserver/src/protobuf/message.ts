import { type OwnForm, ownForms, ownMessages } from './own-forms.ts';

/** `!` is written even when empty, `?` only where set, `*` is a list, `%` a map from string. */
export type FieldForm = '!' | '?' | '*' | '%';

/** string, int32, int64, bool, bytes, double, bytes that hold JSON, or a message. */
export type FieldType = 's' | 'i' | 'l' | 'b' | 'y' | 'd' | 'j' | 'm';

export interface Field {
  readonly number: number;
  /** In JSON; empty where the fields of a message stand inline. */
  readonly name: string;
  /** In the server's own code: problems name it. */
  readonly goName: string;
  readonly form: FieldForm;
  readonly type: FieldType;
  /** What is before each value: the number and how the value is written. */
  readonly tag: number;
  /** Made when first asked for: messages may hold themselves. */
  readonly message: Message | undefined;
}

const wireTypes: Readonly<Record<FieldType, number>> = { s: 2, i: 0, l: 0, b: 0, y: 2, d: 1, j: 2, m: 2 };
const described = /^([^=]*)=(\d+)([!?*%])([\w./]+)(?::(\w+))?$/;
const scalar = /^[silbydj]$/;

function capital(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/** A message: its fields by number, and what JSON makes of it where that is not an object of these fields. */
export class Message {
  /** With its package: `core/v1.Pod`. */
  readonly name: string;
  readonly goName: string;
  readonly own: OwnForm | undefined;
  readonly #text: string;
  readonly #messages: Messages;
  /** Read from the text when first asked for: a server that is asked for two kinds reads two. */
  #fields: readonly Field[] | undefined;
  #byNumber: readonly (Field | undefined)[] | undefined;

  constructor(name: string, text: string, messages: Messages) {
    this.name = name;
    this.goName = name.slice(name.lastIndexOf('.') + 1);
    this.own = ownForms[name] ?? ownForms[this.goName];
    this.#text = text;
    this.#messages = messages;
  }

  get fields(): readonly Field[] {
    this.#fields ??= this.#text === '' ? [] : this.#text.split(' ').map((field) => this.#fieldOf(field));
    return this.#fields;
  }

  get byNumber(): readonly (Field | undefined)[] {
    if (this.#byNumber === undefined) {
      const places: (Field | undefined)[] = [];
      for (const field of this.fields) places[field.number] = field;
      this.#byNumber = places;
    }
    return this.#byNumber;
  }

  #fieldOf(text: string): Field {
    const found = described.exec(text);
    if (found === null) throw new Error(`${this.name}: cannot read the field "${text}"`);
    const [, name = '', digits, form, type = '', goName = capital(name)] = found;
    const number = Number(digits);
    const known = scalar.test(type) ? (type as FieldType) : 'm';
    const wire = form === '%' ? 2 : wireTypes[known];
    const find = (): Message => this.#messages.get(type.includes('.') ? type : `${this.#package()}.${type}`);
    let message: Message | undefined;
    return {
      number,
      name,
      goName,
      form: form as FieldForm,
      type: known,
      tag: number * 8 + wire,
      get message() {
        if (known === 'm') message ??= find();
        return message;
      },
    };
  }

  #package(): string {
    return this.name.slice(0, this.name.lastIndexOf('.'));
  }
}

/** By package and name, the fields of each message as `tools/kubernetes/messages.ts` describes them. */
export type MessageTable = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Every message of a table, made when first asked for. */
export class Messages {
  readonly #table: MessageTable;
  readonly #made = new Map<string, Message>();

  constructor(table: MessageTable) {
    this.#table = table;
  }

  find(name: string): Message | undefined {
    const made = this.#made.get(name);
    if (made !== undefined) return made;
    const end = name.lastIndexOf('.');
    const [home, own] = [name.slice(0, end), name.slice(end + 1)];
    const inPackage = Object.hasOwn(this.#table, home) ? this.#table[home] : undefined;
    const text =
      inPackage !== undefined && Object.hasOwn(inPackage, own)
        ? inPackage[own]
        : (ownMessages[name] ?? ownMessages[own]);
    if (text === undefined) return undefined;
    const message = new Message(name, text, this);
    this.#made.set(name, message);
    return message;
  }

  get(name: string): Message {
    const message = this.find(name);
    if (message === undefined) throw new Error(`no message ${name}: no generated table has it`);
    return message;
  }
}
