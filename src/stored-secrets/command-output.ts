/** Where commands say what they do; neither ever gets a secret. */
export interface CommandOutput {
  say: (line: string) => void;
  complain: (line: string) => void;
}
