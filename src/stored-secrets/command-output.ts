/** The output of commands; it never contains a secret. */
export interface CommandOutput {
  say: (line: string) => void;
  complain: (line: string) => void;
}
