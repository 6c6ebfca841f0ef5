/** The output of a command. It never contains a secret. */
export interface CommandOutput {
  print: (line: string) => void;
  printToStderr: (line: string) => void;
}
