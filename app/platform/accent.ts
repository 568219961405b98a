/**
 * The accent color: buttons, links and the focus. Someone picks one color, and each theme gets shades of it that people can
 * read. Runs in the browser too, so no I/O here.
 */

/** Same as in app/kit/ui/app.css. */
export const ACCENT = '#9a4d0c'

/** WCAG AA for text. */
export const TEXT_CONTRAST = 4.5

export const isColor = (text: string) => /^#[0-9a-f]{6}$/i.test(text)

/** Same as in app/kit/ui/app.css: what's behind text, and the palest text on a soft shade. */
export const GROUNDS = {
  light: { paper: '#faf7f2', surface: '#ffffff', sunken: '#f2ede4', inkFaint: '#656a78' },
  dark: { paper: '#14161c', surface: '#1b1e26', sunken: '#0f1116', inkFaint: '#9a9891' },
} as const

export type AccentTheme = keyof typeof GROUNDS

export interface AccentShades {
  /** Text, links, the focus, and behind `onTea`. */
  tea: string
  /** The same, below the pointer, and on `teaSoft`. */
  teaStrong: string
  /** Behind text. */
  teaSoft: string
  onTea: string
  /** Behind selected text. */
  selected: string
}

/** Our own accent's, chosen by hand. Same as in app/kit/ui/app.css. */
const OURS: Record<AccentTheme, AccentShades> = {
  light: {
    tea: ACCENT,
    teaStrong: '#7d3d07',
    teaSoft: '#f8e9d6',
    onTea: '#ffffff',
    selected: '#f3d7b1',
  },
  dark: {
    tea: '#eeb069',
    teaStrong: '#f6c68e',
    teaSoft: '#33281c',
    onTea: '#221503',
    selected: '#5b4526',
  },
}

/** How light OKLCH colors are, from 0 to 1, and how colorful soft ones may be. */
const RECIPES = {
  light: { step: -0.01, soft: 0.942, selected: 0.89 },
  dark: { step: 0.01, soft: 0.285, selected: 0.41 },
} as const
const SOFT_CHROMA = 0.03
const SELECTED_CHROMA = 0.06
const ON_TEA_LIGHTNESS = 0.2
/** A color that's only just readable looks dull on a dark page. */
const DARK_LEAST = 0.74
const STRONGER = 8

/**
 * The picked color, darkened for the light theme or lightened for the dark one as far as people need it.
 * @param picked such as #9a4d0c
 */
export function accentShades(picked: string, theme: AccentTheme): AccentShades {
  if (picked.toLowerCase() === ACCENT) return OURS[theme]
  const { step, soft, selected } = RECIPES[theme]
  const { inkFaint } = GROUNDS[theme]
  const color = lchOf(picked)
  const toned = (lightness: number, chroma: number) => ({
    lightness,
    chroma: Math.min(color.chroma, chroma),
    hue: color.hue,
  })
  const teaSoft = moved(toned(soft, SOFT_CHROMA), -step, (it) => reaches(it, [inkFaint]))
  const isReadable = (it: string) =>
    reaches(it, [teaSoft, ...groundsOf(theme)]) &&
    (theme === 'light' || lchOf(it).lightness >= DARK_LEAST)
  const tea = isReadable(picked) ? picked.toLowerCase() : moved(color, step, isReadable)
  const its = lchOf(tea)
  return {
    tea,
    teaStrong: hexOf({ ...its, lightness: its.lightness + STRONGER * step }),
    teaSoft,
    onTea: theme === 'light' ? '#ffffff' : hexOf(toned(ON_TEA_LIGHTNESS, SOFT_CHROMA)),
    selected: hexOf(toned(selected, SELECTED_CHROMA)),
  }
}

const groundsOf = (theme: AccentTheme) => {
  const { paper, surface, sunken } = GROUNDS[theme]
  return [paper, surface, sunken]
}

/** The least contrast of a text in this color with the theme's pages, from 1 to 21. */
export const contrastOn = (color: string, theme: AccentTheme) =>
  Math.min(...groundsOf(theme).map((ground) => contrast(color, ground)))

const reaches = (color: string, others: readonly string[]) =>
  others.every((other) => contrast(color, other) >= TEXT_CONTRAST)

/** Lighter or darker until it's right. Black or white always is. */
function moved(color: Lch, step: number, isRight: (hex: string) => boolean): string {
  const hex = hexOf(color)
  const { lightness } = color
  if (isRight(hex) || lightness < 0 || lightness > 1) return hex
  return moved({ ...color, lightness: lightness + step }, step, isRight)
}

/** WCAG 2: from 1 to 21. */
export function contrast(one: string, other: string) {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (lighter + 0.05) / (darker + 0.05)
}

function luminance(hex: string) {
  const [red, green, blue] = linearOf(hex)
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

type Triple = [number, number, number]

/** Red, green and blue, from 0 to 1, in proportion to their light. */
const linearOf = (hex: string) =>
  [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  }) as Triple

/** OKLCH, in which colors of one lightness look equally light. The hue is in radians. */
interface Lch {
  lightness: number
  chroma: number
  hue: number
}

/** https://bottosson.github.io/posts/oklab/ */
function lchOf(hex: string): Lch {
  const [red, green, blue] = linearOf(hex)
  const l = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue)
  const m = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue)
  const s = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue)
  const a = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s
  const b = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s
  return {
    lightness: 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    chroma: Math.hypot(a, b),
    hue: Math.atan2(b, a),
  }
}

function linearIn({ lightness, chroma, hue }: Lch): Triple {
  const a = chroma * Math.cos(hue)
  const b = chroma * Math.sin(hue)
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ]
}

const FADE = 0.96
const SPILL = 0.001

/** Paler, if screens can't show it. */
function hexOf(color: Lch): string {
  const lightness = Math.min(1, Math.max(0, color.lightness))
  const parts = linearIn({ ...color, lightness })
  const isShowable = parts.every((part) => part >= -SPILL && part <= 1 + SPILL)
  if (!isShowable && color.chroma > SPILL)
    return hexOf({ ...color, lightness, chroma: color.chroma * FADE })
  return `#${parts
    .map((part) => {
      const light = Math.min(1, Math.max(0, part))
      const shown = light <= 0.0031308 ? light * 12.92 : 1.055 * light ** (1 / 2.4) - 0.055
      return Math.round(shown * 255)
        .toString(16)
        .padStart(2, '0')
    })
    .join('')}`
}
