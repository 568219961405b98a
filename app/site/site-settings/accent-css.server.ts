/** The style sheet of an accent color that an administrator picked. */
import { createHash } from 'node:crypto'
import { type AccentTheme, accentShades } from '#app/platform/accent.ts'

/** Replaces the colors of app/kit/ui/app.css. Paper is light. */
export function accentCss(accent: string) {
  const [light, dark] = [shadesIn(accent, 'light'), shadesIn(accent, 'dark')]
  return [
    `:root,.light{${light}}`,
    `@media screen{.dark{${dark}}}`,
    `@media screen and (prefers-color-scheme:dark){:root:not(.light){${dark}}}`,
  ].join('')
}

function shadesIn(accent: string, theme: AccentTheme) {
  const { tea, teaStrong, teaSoft, onTea, selected } = accentShades(accent, theme)
  return `--color-tea:${tea};--color-tea-strong:${teaStrong};--color-tea-soft:${teaSoft};--color-on-tea:${onTea};--color-selected:${selected}`
}

/** Names the color, so any process can answer at once, and the content, so caches can keep it forever. */
export const accentPath = (accent: string) => `/brand/${accentFile(accent)}`

export const accentFile = (accent: string) =>
  `${accent.slice(1)}-${createHash('sha256').update(accentCss(accent)).digest('hex').slice(0, 8)}.css`
