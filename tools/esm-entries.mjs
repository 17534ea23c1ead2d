// Completes the CommonJS build of the packages whose folders are given: adds the modules that `import` loads. They
// re-export the CommonJS modules, so each class exists once in a process that uses both `import` and `require`.
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** Leaves a file alone that has the text already: other processes may load it. */
async function write(file, text) {
  if ((await readFile(file, 'utf8').catch(() => null)) !== text) await writeFile(file, text);
}

for (const folder of process.argv.slice(2)) {
  const { exports } = JSON.parse(await readFile(path.join(folder, 'package.json'), 'utf8'));
  await write(path.join(folder, 'dist/package.json'), '{ "type": "commonjs" }\n');
  for (const entry of Object.values(exports)) {
    const text = `export * from './${path.basename(entry.require.default)}';\n`;
    for (const file of Object.values(entry.import)) await write(path.join(folder, file), text);
  }
}
