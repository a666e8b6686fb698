import { doubleText } from './format-text.ts';
import { fail, type Functions } from './functions.ts';
import { Cidr, Ip } from './network.ts';
import {
  Duration,
  durationPart,
  durationText,
  isTimestampInRange,
  parseCelDuration,
  parseTimestamp,
  Timestamp,
  timestampPart,
  timestampText,
} from './time.ts';
import { CelFailure, typeName, TypeValue, Uint } from './value.ts';

const second = 1_000_000_000n;

function toInt(value: unknown): unknown {
  if (typeof value === 'bigint') return value;
  if (value instanceof Uint) return inRange(value.value);
  if (typeof value === 'number') return Number.isFinite(value) ? inRange(BigInt(Math.trunc(value))) : overflow();
  if (value instanceof Timestamp) return value.nanos / second;
  if (value instanceof Duration) return value.nanos;
  return typeof value === 'string' ? inRange(integerIn(value, 'int')) : undefined;
}

function integerIn(text: string, type: string): bigint {
  if (!/^[+-]?\d+$/.test(text)) throw new CelFailure(`type conversion error from 'string' to '${type}'`);
  return BigInt(text.replace(/^\+/, ''));
}

function overflow(): never {
  throw new CelFailure('integer overflow');
}

function inRange(value: bigint): bigint {
  return value >= 2n ** 63n || value < -(2n ** 63n) ? overflow() : value;
}

function toUint(value: unknown): unknown {
  if (value instanceof Uint) return value;
  const number =
    typeof value === 'string' ? integerIn(value, 'uint') : typeof value === 'number' ? toInt(value) : value;
  if (typeof number !== 'bigint') return undefined;
  if (number < 0n || number >= 2n ** 64n) throw new CelFailure('unsigned integer overflow');
  return new Uint(number);
}

function toDouble(value: unknown): unknown {
  if (typeof value === 'number') return value;
  if (typeof value === 'bigint') return Number(value);
  if (value instanceof Uint) return Number(value.value);
  if (typeof value !== 'string') return undefined;
  if (!/^[+-]?(?:\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?|Inf(?:inity)?|NaN)$/i.test(value)) {
    throw new CelFailure("type conversion error from 'string' to 'double'");
  }
  return Number(value.replace(/inf(?:inity)?$/i, 'Infinity'));
}

function toText(value: unknown): unknown {
  switch (typeof value) {
    case 'string':
      return value;
    case 'bigint':
    case 'boolean':
      return String(value);
    case 'number':
      return doubleText(value);
    default:
      return objectText(value);
  }
}

function objectText(value: unknown): string | undefined {
  if (value instanceof Uint) return String(value.value);
  if (value instanceof Timestamp) return timestampText(value);
  if (value instanceof Duration) return durationText(value);
  if (value instanceof Ip || value instanceof Cidr) return value.text;
  return value instanceof Uint8Array ? utf8(value) : undefined;
}

function utf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new CelFailure('invalid UTF-8 in bytes, cannot convert to string');
  }
}

function toTimestamp(value: unknown): unknown {
  if (value instanceof Timestamp) return value;
  if (typeof value === 'bigint') {
    const nanos = value * second;
    if (!isTimestampInRange(nanos)) throw new CelFailure('timestamp overflow');
    return new Timestamp(nanos);
  }
  if (typeof value !== 'string') return undefined;
  const timestamp = parseTimestamp(value);
  if (timestamp === undefined)
    throw new CelFailure("type conversion error from 'string' to 'google.protobuf.Timestamp'");
  return timestamp;
}

function toDuration(value: unknown): unknown {
  if (value instanceof Duration) return value;
  if (typeof value !== 'string') return undefined;
  const duration = parseCelDuration(value);
  if (duration === undefined) throw new CelFailure("type conversion error from 'string' to 'google.protobuf.Duration'");
  return duration;
}

function toBool(value: unknown): unknown {
  if (typeof value === 'boolean') return value;
  if (typeof value !== 'string') return undefined;
  if (/^(?:1|t|true|TRUE|True|T)$/.test(value)) return true;
  if (/^(?:0|f|false|FALSE|False|F)$/.test(value)) return false;
  throw new CelFailure("type conversion error from 'string' to 'bool'");
}

function toBytes(value: unknown): unknown {
  if (value instanceof Uint8Array) return value;
  return typeof value === 'string' ? new TextEncoder().encode(value) : undefined;
}

const dateParts = ['FullYear', 'Month', 'DayOfYear', 'DayOfMonth', 'Date', 'DayOfWeek'];
const timeParts = ['Hours', 'Minutes', 'Seconds', 'Milliseconds'];

function getter(part: string): (value: unknown, zone?: unknown) => unknown {
  return (value, zone) => {
    if (value instanceof Duration) return timeParts.includes(part) ? durationPart(value, part) : undefined;
    if (!(value instanceof Timestamp)) return undefined;
    const found = timestampPart(value, part, typeof zone === 'string' ? zone : undefined);
    return found ?? fail(`unknown time zone ${String(zone)}`);
  };
}

export const conversionFunctions: Functions = {
  int: toInt,
  uint: toUint,
  double: toDouble,
  string: toText,
  bytes: toBytes,
  bool: toBool,
  timestamp: toTimestamp,
  duration: toDuration,
  dyn: (value) => value,
  type: (value) => new TypeValue(typeName(value)),
  ...Object.fromEntries([...dateParts, ...timeParts].map((part) => [`get${part}`, getter(part)])),
};
