/** When a hint comes. Spec §9. */
import { renderToString } from 'react-dom/server'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { TooltipHost } from './tooltip.tsx'

vi.mock('./tooltip-popup.tsx', () => ({ TooltipPopup: () => null }))
// The server has no effects: here they come after the drawing, as in a browser.
vi.mock('react', async (original) => ({
  ...(await original<object>()),
  useEffect: (effect: () => void) => queueMicrotask(effect),
}))

/** Something on the page that has a hint, described by it while it shows. */
class Card {
  readonly dataset = { tooltip: 'Acme Teapots' }
  readonly isConnected = true
  described: string | null = null
  closest = (selector: string) => (selector.startsWith('[data-tooltip]') ? this : null)
  getAttribute = () => this.described
  setAttribute = (_: string, ids: string) => {
    this.described = ids
  }
  removeAttribute = () => {
    this.described = null
  }
}

let page: EventTarget
beforeEach(async () => {
  vi.useFakeTimers()
  page = Object.assign(new EventTarget(), { documentElement: new EventTarget() })
  vi.stubGlobal('document', page)
  vi.stubGlobal('Element', Card)
  renderToString(<TooltipHost />)
  await Promise.resolve()
})
afterEach(() => vi.useRealTimers())

const happens = (type: string, of: object) =>
  page.dispatchEvent(
    Object.defineProperties(
      new Event(type),
      Object.fromEntries(Object.entries(of).map(([name, value]) => [name, { value }])),
    ),
  )
const reach = (target: Card) => happens('pointerover', { target, pointerType: 'mouse' })
const isDescribed = ({ described }: Card) => described === 'tooltip'

test('Spec §9: a tooltip shows after 700 ms, and the next one within 300 ms at once', () => {
  const [first, second, third] = [new Card(), new Card(), new Card()]
  reach(first)
  vi.advanceTimersByTime(699)
  expect(isDescribed(first)).toBe(false)
  vi.advanceTimersByTime(1)
  expect(isDescribed(first)).toBe(true)

  happens('keydown', { key: 'Escape' })
  expect(isDescribed(first)).toBe(false)
  vi.advanceTimersByTime(299)
  reach(second)
  vi.advanceTimersByTime(0)
  expect(isDescribed(second)).toBe(true)

  happens('keydown', { key: 'Escape' })
  vi.advanceTimersByTime(300)
  reach(third)
  vi.advanceTimersByTime(699)
  expect(isDescribed(third)).toBe(false)
  vi.advanceTimersByTime(1)
  expect(isDescribed(third)).toBe(true)
})
