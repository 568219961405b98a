/** The parts that bench/ uses of packages without types, and of packages that only `npm run bench` installs. */

declare module 'pg-copy-streams' {
  import type { Writable } from 'node:stream'
  import type { Submittable } from 'pg'

  /** COPY … FROM STDIN: pass it to `client.query`, then write the rows into it. */
  export function from(statement: string): Writable & Submittable
}

declare module 'autocannon' {
  export interface Result {
    requests: { average: number; total: number }
    errors: number
    non2xx: number
  }
  export default function autocannon(options: {
    url: string
    connections: number
    duration?: number
    /** The total number of requests, instead. */
    amount?: number
    /** Sent in turn. `setupRequest` may change each one before it's sent. */
    requests?: { method: string; setupRequest?: (request: object) => object }[]
  }): Promise<Result>
}

declare module 'chrome-launcher' {
  export function launch(options: {
    chromePath?: string
    chromeFlags: string[]
  }): Promise<{ port: number; kill(): void }>
}

declare module 'lighthouse' {
  interface Audit {
    score: number | null
    numericValue?: number
    details?: { items?: { resourceType?: string; transferSize: number }[] }
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
    flags: object,
  ): Promise<{ lhr: Result } | undefined>
}
