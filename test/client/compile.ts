import path from 'node:path';
import ts from 'typescript';

const root = path.resolve(import.meta.dirname, '../..');

/** Compiles files with the settings of this project, and further libraries such as `DOM`. Returns the errors. */
export function errorsIn(files: readonly string[], libraries: readonly string[] = []): readonly string[] {
  const { config } = ts.readConfigFile(path.join(root, 'tsconfig.json'), (file) => ts.sys.readFile(file)) as {
    config: { compilerOptions: { lib: readonly string[] } };
  };
  const compilerOptions = { ...config.compilerOptions, lib: [...config.compilerOptions.lib, ...libraries] };
  const { options } = ts.parseJsonConfigFileContent({ compilerOptions, files: [] }, ts.sys, root);
  const program = ts.createProgram(files, { ...options, noEmit: true, incremental: false });
  return ts.getPreEmitDiagnostics(program).map(({ file, messageText }) => {
    return `${file?.fileName ?? ''}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`;
  });
}
