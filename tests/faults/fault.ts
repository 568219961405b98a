/** A fault that is planted by hand, because no mutation operator makes it. */
export type Fault = [
  name: string,
  file: string,
  /** Stands in the file once. */
  from: string,
  to: string,
  /** The test file that must notice. */
  tests: string,
  /** Where the embedded database cannot. */
]
