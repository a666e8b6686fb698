// Protobuf of built-in kinds: messages as data, bytes to objects and back, the envelope around both. Pure.
export { ProtobufProblem } from './byte-source.ts';
export { decodeMessage } from './decode.ts';
export { encodeMessage } from './encode.ts';
export { encodeEnvelope, type Envelope, openEnvelope, watchFrame } from './envelope.ts';
export { messageOf, packageOf } from './kinds.ts';
export { Message, Messages, type MessageTable } from './message.ts';
