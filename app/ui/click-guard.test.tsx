/** A double click is one click. Spec §2.4, §9. */
import type { MouseEvent, ReactElement } from 'react'
import { renderToString } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import { Button, IconButton } from './button.tsx'

type Drawn = ReactElement<{ onClick: (event: MouseEvent) => void }>
interface WatchedProps {
  button: (props: never) => Drawn
  onClick: () => void
  onDrawn: (drawn: Drawn) => void
}

/** A button, and what it is drawn as. */
function Watched({ button: draw, onClick, onDrawn }: WatchedProps) {
  const drawn = draw({ label: 'Send', children: 'Send', onClick } as never)
  onDrawn(drawn)
  return drawn
}

/** @returns presses it, at a moment in milliseconds */
function pressable(button: WatchedProps['button'], onClick: () => void) {
  const drawn: Drawn[] = []
  renderToString(
    <Watched button={button} onClick={onClick} onDrawn={(button) => drawn.push(button)} />,
  )
  return (at: number) => {
    const event = { timeStamp: at, preventDefault: vi.fn(), stopPropagation: vi.fn() }
    drawn[0]?.props.onClick(event as never)
    return event
  }
}

test.each([
  ['a button', Button],
  ['a button that is an icon', IconButton],
] as const)('Spec §9: %s ignores a second click within 300 ms', (_, button) => {
  const onClick = vi.fn()
  const press = pressable(button, onClick)
  expect(press(1000).preventDefault).not.toHaveBeenCalled()
  // Nor does it submit its form.
  expect(press(1299).preventDefault).toHaveBeenCalledOnce()
  expect(onClick).toHaveBeenCalledOnce()
  expect(press(1300).preventDefault).not.toHaveBeenCalled()
  expect(onClick).toHaveBeenCalledTimes(2)
})
