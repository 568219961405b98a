/** A double click is one click. Spec §2.4, §9. */
import { expect, test, vi } from 'vitest'
import { guardClicks } from './page-clicks.ts'

/** A page with two buttons on it, which are pressed at a moment in milliseconds. */
function page() {
  const root = new EventTarget()
  guardClicks(root)
  const onClick = vi.fn()
  root.addEventListener('click', (event) => onClick(event.target))
  /** @param nth which of a row of clicks at one place it is, as browsers count them */
  const press = (button: object | null, at: number, nth = 1) => {
    const event = new Event('click', { cancelable: true })
    const target = { closest: () => button }
    Object.defineProperties(event, {
      target: { value: target },
      timeStamp: { value: at },
      detail: { value: nth },
    })
    root.dispatchEvent(event)
    return event
  }
  return { onClick, press }
}

test('Spec §9: a button ignores a second click within 300 ms', () => {
  const { onClick, press } = page()
  const vote = {}
  expect(press(vote, 1000).defaultPrevented).toBe(false)
  // It doesn't submit its form either.
  expect(press(vote, 1299).defaultPrevented).toBe(true)
  expect(onClick).toHaveBeenCalledOnce()
  expect(press(vote, 1300).defaultPrevented).toBe(false)
  expect(onClick).toHaveBeenCalledTimes(2)
})

test('a click on another button counts at once, and so does one elsewhere', () => {
  const { onClick, press } = page()
  press({}, 1000)
  press({}, 1001)
  press(null, 1002)
  press(null, 1003)
  expect(onClick).toHaveBeenCalledTimes(4)
})

test('a double click’s second half doesn’t press the button that replaced the first', () => {
  const { onClick, press } = page()
  const [menu, close] = [{}, {}]
  press(menu, 1000)
  expect(press(close, 1120, 2).defaultPrevented).toBe(true)
  expect(onClick).toHaveBeenCalledOnce()
  expect(press(close, 1400, 3).defaultPrevented).toBe(false)
})
