/** A fault that's planted by hand, because no mutation operator produces it. */
export type Fault = [
  name: string,
  file: string,
  /** Occurs once in the file. */
  from: string,
  to: string,
  /** The test file that must notice it. */
  tests: string,
]
