// What a process costs once it has imported one package, or nothing.
const imports = {
  nothing: () => undefined,
  kilter: () => import('kilter'),
  'client-node': () => import('../../peers/node_modules/@kubernetes/client-node/dist/index.js'),
};
await imports[process.argv[2]]();
const { user, system } = process.cpuUsage();
process.send({ cpu: (user + system) / 1000, rss: process.memoryUsage.rss() }, () => process.disconnect());
