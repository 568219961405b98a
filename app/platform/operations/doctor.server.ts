export interface Finding {
  /** `skipped` means we didn't check it, for the reason in the sentence. Never report that as `ok`. */
  level: 'ok' | 'warning' | 'problem' | 'skipped'
  about:
    | 'settings'
    | 'keys'
    | 'database'
    | 'mail'
    | 'limits'
    | 'disk'
    | 'build'
    | 'jobs'
    | 'backup'
    | 'pages'
  /** Names settings, files and codes, never secrets or people's addresses. */
  sentence: string
}

export const findingsAbout = (about: Finding['about']) => ({
  ok: (sentence: string): Finding => ({ level: 'ok', about, sentence }),
  warning: (sentence: string): Finding => ({ level: 'warning', about, sentence }),
  problem: (sentence: string): Finding => ({ level: 'problem', about, sentence }),
  /** @param because completes the sentence */
  skipped: (because: string, what = ''): Finding => ({
    level: 'skipped',
    about,
    sentence: `${what ? `${what}: not` : 'Not'} checked, because ${because}`,
  }),
})

export const findingLines = (findings: Finding[]) =>
  findings.map(
    ({ level, about, sentence }) => `${level.padEnd(7)}  ${about.padEnd(8)}  ${sentence}`,
  )
