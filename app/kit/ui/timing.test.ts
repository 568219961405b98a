import { expect, test } from 'vitest'
import { TOAST_MS, TOASTS_SHOWN } from './toast.ts'
import { TOOLTIP_DELAY_MS, TOOLTIP_SKIP_DELAY_MS } from './tooltip.tsx'

test('Spec §9: toasts last 4000 ms, three are visible', () => {
  expect(TOAST_MS).toBe(4000)
  expect(TOASTS_SHOWN).toBe(3)
})

test('Spec §9: a tooltip waits 700 ms, and the next one within 300 ms doesn’t', () => {
  expect(TOOLTIP_DELAY_MS).toBe(700)
  expect(TOOLTIP_SKIP_DELAY_MS).toBe(300)
})
