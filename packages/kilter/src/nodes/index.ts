// Nodes: a cordon that says whose it is, which Pods a drain moves, an eviction that a budget may refuse for now.
export { cordon, type CordonMark, cordonOf, isNodeReady, uncordon } from './cordon.ts';
export { isDrained, requestEviction } from './drain.ts';
