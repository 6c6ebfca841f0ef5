/** The output of a command. It never contains a secret. */
export interface CommandOutput {
  say: (line: string) => void;
  complain: (line: string) => void;
}
