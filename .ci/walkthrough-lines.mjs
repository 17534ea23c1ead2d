// Prints the lines of the walk-through of Markdown files as one shell script: the blocks of `sh` between
// `walkthrough:begin` and `walkthrough:end`, in order. A block of `js` whose first line is `// <name>` becomes that
// file.
import { readFileSync } from 'node:fs';

const lines = process.argv.slice(2).flatMap((file) => readFileSync(file, 'utf8').split('\n'));
let playing = false;
let block = null;
for (const line of lines) {
  if (block === null) {
    if (line.includes('walkthrough:begin')) playing = true;
    else if (line.includes('walkthrough:end')) playing = false;
    else if (playing && /^```(sh|js)$/.test(line)) block = { language: line.slice(3), lines: [] };
  } else if (line === '```') {
    print(block);
    block = null;
  } else block.lines.push(line);
}

function print({ language, lines: content }) {
  if (language === 'sh') {
    console.log(content.join('\n'));
    return;
  }
  const [, name] = /^\/\/ ([a-z-]+\.m?js)$/.exec(content[0]) ?? [];
  if (name) console.log(`cat >${name} <<'END OF FILE'\n${content.join('\n')}\nEND OF FILE`);
}
