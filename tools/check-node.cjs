// Runs on any Node: says what to do where the pinned one is not there and the machine's is too old.
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 19)) {
  console.error(
    `Kilter needs Node 22.19 or newer, this is ${process.versions.node}. On Linux and Windows \`npm ci\` brings Node 24 ` +
      'as an optional package (check that optional packages are not omitted); elsewhere install it yourself.',
  );
  process.exit(1);
}
