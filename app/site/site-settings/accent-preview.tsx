/** What an accent color looks like in each theme, before it's saved. */
import { type AccentTheme, accentShades, GROUNDS, isColor } from '#app/platform/accent.ts'
import { accentSentence } from './site-setting.ts'

interface AccentPreviewProps {
  picked: string
  onPick: (color: string) => void
}

export function AccentPreview({ picked, onPick }: AccentPreviewProps) {
  if (!isColor(picked)) return null
  return (
    <div className="grid gap-3">
      <div className="grid gap-3 sm:grid-cols-[4rem_1fr_1fr]">
        <input
          type="color"
          aria-label="Pick a color"
          value={picked.toLowerCase()}
          className="h-15 w-16 cursor-pointer rounded-md border border-line-strong bg-surface p-1"
          onChange={({ target }) => onPick(target.value)}
        />
        <Sample picked={picked} theme="light" />
        <Sample picked={picked} theme="dark" />
      </div>
      <ul className="grid gap-1 text-sm text-ink-soft">
        <li>{accentSentence(picked, 'light')}</li>
        <li>{accentSentence(picked, 'dark')}</li>
      </ul>
    </div>
  )
}

function Sample({ picked, theme }: { picked: string; theme: AccentTheme }) {
  const { tea, teaStrong, teaSoft, onTea } = accentShades(picked, theme)
  return (
    <div
      aria-hidden="true"
      className="flex h-15 items-center justify-center gap-4 rounded-md border border-line px-3 text-sm font-medium whitespace-nowrap"
      style={{ background: GROUNDS[theme].paper }}
    >
      <span className="rounded-md px-3 py-2" style={{ background: tea, color: onTea }}>
        Button
      </span>
      <span className="underline underline-offset-4" style={{ color: tea }}>
        Link
      </span>
      <span
        className="rounded-full px-2 py-0.5 text-xs"
        style={{ background: teaSoft, color: teaStrong }}
      >
        Label
      </span>
    </div>
  )
}
