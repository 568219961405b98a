/** What the doctor finds: one line about each thing, and how to mend what is wrong with it. */
export interface Finding {
  /** `skipped`: not looked at, and the sentence says because of what. Never `ok` for that. */
  level: 'ok' | 'warning' | 'problem' | 'skipped'
  about: 'settings' | 'keys' | 'database' | 'mail' | 'limits' | 'disk' | 'build' | 'jobs' | 'backup'
  /** Names settings, files and codes; never what a secret setting holds, nor anybody's address. */
  sentence: string
}

/** Ways to say it, about one thing. */
export const about = (about: Finding['about']) => ({
  ok: (sentence: string): Finding => ({ level: 'ok', about, sentence }),
  warning: (sentence: string): Finding => ({ level: 'warning', about, sentence }),
  problem: (sentence: string): Finding => ({ level: 'problem', about, sentence }),
  /** @param because completes the sentence */
  skipped: (because: string, what = ''): Finding => ({
    level: 'skipped',
    about,
    sentence: `${what ? `${what}: not` : 'Not'} looked at, because ${because}`,
  }),
})

/** A line per finding, aligned. */
export const asLines = (findings: Finding[]) =>
  findings.map(
    ({ level, about, sentence }) => `${level.padEnd(7)}  ${about.padEnd(8)}  ${sentence}`,
  )
