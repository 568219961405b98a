import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import fc from '#tests/support/fast-check.ts'
import { ACCENT, accentShades, contrast, contrastOn, GROUNDS, TEXT_CONTRAST } from './accent.ts'

const THEMES = ['light', 'dark'] as const
const css = readFileSync(new URL('../kit/ui/app.css', import.meta.url), 'utf8')
const palette = new Map(
  [...css.matchAll(/--color-([\w-]+): light-dark\((#\w+), (#\w+)\)/g)].map(
    ([, name, light, dark]) => [name, { light, dark }],
  ),
)

test('the grounds and the usual accent are the style sheet’s', () => {
  for (const theme of THEMES) {
    const { inkFaint, ...grounds } = GROUNDS[theme]
    for (const [name, color] of Object.entries({ ...grounds, 'ink-faint': inkFaint }))
      expect(palette.get(name)?.[theme], name).toBe(color)
  }
  for (const theme of THEMES) {
    const { tea, teaStrong, teaSoft, onTea, selected } = accentShades(ACCENT, theme)
    const named = { tea, 'tea-strong': teaStrong, 'tea-soft': teaSoft, 'on-tea': onTea, selected }
    for (const [name, color] of Object.entries(named))
      expect(palette.get(name)?.[theme], name).toBe(color)
  }
})

test('contrasts are WCAG’s', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21)
  expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48)
})

test('whatever color ada picks, people can read it on every ground, and what’s on it', () => {
  const color = fc
    .integer({ min: 0, max: 0xffffff })
    .map((n) => `#${n.toString(16).padStart(6, '0')}`)
  const pairs = (picked: string) =>
    THEMES.flatMap((theme) => {
      const { paper, surface, sunken, inkFaint } = GROUNDS[theme]
      const { tea, teaStrong, teaSoft, onTea } = accentShades(picked, theme)
      return [
        ...[paper, surface, sunken, teaSoft, onTea].map((other) => [tea, other]),
        ...[teaSoft, onTea].map((other) => [teaStrong, other]),
        [inkFaint, teaSoft],
      ] as [string, string][]
    })
  fc.assert(
    fc.property(color, (picked) => {
      for (const [one, other] of pairs(picked))
        expect(contrast(one, other), `${one} on ${other}`).toBeGreaterThanOrEqual(TEXT_CONTRAST)
    }),
    { examples: [['#000000'], ['#ffffff'], ['#808080'], ['#ffff00'], ['#0000ff'], [ACCENT]] },
  )
})

test('a color that’s readable in a theme stays as it was picked there', () => {
  expect(accentShades('#1D4ED8', 'light').tea).toBe('#1d4ed8')
  expect(accentShades('#ffdd00', 'dark').tea).toBe('#ffdd00')
  expect(contrastOn('#ffdd00', 'light')).toBeLessThan(2)
  expect(accentShades('#ffdd00', 'light').tea).toBe('#796807')
})
