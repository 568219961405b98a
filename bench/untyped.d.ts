/** What bench/ uses of packages without types, and of those that only `npm run bench` installs. */

declare module 'pg-copy-streams' {
  import type { Writable } from 'node:stream'
  import type { Submittable } from 'pg'

  /** COPY … FROM STDIN: hand it to `client.query`, then write the rows into it. */
  export function from(statement: string): Writable & Submittable
}

declare module 'cli-progress' {
  export interface Options {
    format?: string
    etaBuffer?: number
  }
  export const Presets: { shades_classic: object }
  export class SingleBar {
    constructor(options: Options, preset: object)
    start(total: number, value: number, payload?: Record<string, string>): void
    increment(by: number): void
    stop(): void
  }
}

declare module 'autocannon' {
  export interface Result {
    requests: { average: number; total: number }
    latency: { p50: number; p99: number }
    errors: number
    non2xx: number
  }
  export default function autocannon(options: {
    url: string
    connections: number
    duration?: number
    /** Requests in all, instead. */
    amount?: number
    headers?: Record<string, string>
    /** Sent in turn; `setupRequest` may change each before it goes. */
    requests?: { method: string; setupRequest?: (request: object) => object }[]
  }): Promise<Result>
}

declare module 'lighthouse' {
  export interface Flags {
    port: number
    logLevel: 'error'
    output: 'json'
    onlyCategories: string[]
    formFactor: 'mobile'
    throttlingMethod: 'simulate'
  }
  interface Audit {
    title: string
    score: number | null
    numericValue?: number
    details?: object
  }
  interface Result {
    runtimeError?: { message: string }
    audits: Record<string, Audit>
    categories: Record<
      string,
      { score: number | null; auditRefs: { id: string; weight: number }[] }
    >
  }
  export default function lighthouse(
    url: string,
    flags: Flags,
  ): Promise<{ lhr: Result } | undefined>
}
