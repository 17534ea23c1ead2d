import { parseArgs } from 'node:util';

/** An option of a tool. */
export interface Option {
  readonly type: 'string' | 'boolean';
  /** What it does, in a line. */
  readonly help: string;
  /** What `--help` shows in place of its value, such as `<number>`. */
  readonly value?: string;
  /** What it is when it is not given. */
  readonly default?: string | boolean;
}

/** What a tool's command line looks like: all that `--help` shows. */
export interface Usage<Options> {
  /** How it is called, such as `npm run demo -- [options]`. */
  readonly call: string;
  /** What it does, in a line or two. */
  readonly about: string;
  readonly options: Options;
  /** Whether anything but options is taken. */
  readonly takesFiles?: boolean;
  /** What there is to say below the options. */
  readonly more?: string;
}

/** What was given: the options' values by their names, and the rest. */
type Given<Options extends Readonly<Record<string, Option>>> = Pick<
  ReturnType<typeof parseArgs<{ options: Options; allowPositionals: true }>>,
  'values' | 'positionals'
>;

/** A tool's command line. */
export interface CommandLine<T> {
  /** What `--help` shows. */
  readonly help: string;
  /** @throws Error that says what is wrong with the arguments */
  readonly read: (args: readonly string[]) => T;
}

/**
 * Makes a command line.
 * @param meaning what the tool makes of it; throws an Error that says which value cannot be
 */
export function commandLine<const Options extends Readonly<Record<string, Option>>, T>(
  usage: Usage<Options>,
  meaning: (given: Given<Options>) => T,
): CommandLine<T> {
  return {
    help: helpOf(usage),
    read(args) {
      refuseStrange(args, usage);
      return meaning(parseArgs({ args: [...args], options: usage.options, allowPositionals: true }));
    },
  };
}

/**
 * What the arguments of this process mean. With `--help` among them the options are shown, and the process ends with 0; with
 * something that cannot be, that is said in one line on standard error, and it ends with 2.
 */
export function fromCommandLine<T>({ help, read }: CommandLine<T>): T {
  const args = process.argv.slice(2);
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write(`${help}\n`);
    process.exit(0);
  }
  try {
    return read(args);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    process.stderr.write(`${message} --help shows the options.\n`);
    process.exit(2);
  }
}

/** Says in words of our own what `parseArgs` would refuse in its own. */
function refuseStrange(args: readonly string[], usage: Usage<Readonly<Record<string, Option>>>): void {
  const { options, takesFiles = false } = usage;
  const { tokens } = parseArgs({ args: [...args], options, strict: false, tokens: true });
  for (const token of tokens) {
    if (token.kind === 'positional' && !takesFiles)
      throw new Error(`This takes options alone, not "${token.value}".`);
    if (token.kind !== 'option') continue;
    const { name, rawName, value, inlineValue } = token;
    const option = Object.hasOwn(options, name) ? options[name] : undefined;
    if (option === undefined) throw new Error(`There is no option ${rawName}.`);
    if (option.type === 'boolean' && value !== undefined) throw new Error(`${rawName} takes no value.`);
    const missing = value === undefined || (!inlineValue && /^-./.test(value));
    if (option.type === 'string' && missing)
      throw new Error(`${rawName} needs a value: ${rawName} ${option.value ?? '<text>'}.`);
  }
}

function helpOf({ call, about, options, more }: Usage<Readonly<Record<string, Option>>>): string {
  const rows = Object.entries(options).map(([name, option]) => {
    const initially = option.type === 'string' && option.default ? `; ${option.default} unless told` : '';
    return [
      option.type === 'string' ? `--${name} ${option.value ?? '<text>'}` : `--${name}`,
      `${option.help}${initially}`,
    ] as const;
  });
  rows.push(['--help', 'show this']);
  const width = Math.max(...rows.map(([left]) => left.length));
  const lines = rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`);
  return [`Usage: ${call}`, '', about, '', ...lines, ...(more === undefined ? [] : ['', more])].join('\n');
}
