/** Whether someone is in the middle of something, as far as we can see. */
import { BUSY_BUTTON } from '../ui/button.tsx'
import { type FieldNow, isUnsaved } from './update.ts'

type FieldElement = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

const NO_FIELDS = ['hidden', 'submit', 'button', 'reset', 'image', 'range', 'color']

/** Follows typing from now on. `isSafe` says whether a reload would lose anything. */
export function watchInput() {
  /** What a field had when it got the focus. */
  const before = new WeakMap<Element, string>()
  const remember = ({ target }: Event) => {
    if (isField(target) && !before.has(target)) before.set(target, wordsIn(target))
  }
  // A line may hold text from before this code ran.
  for (const field of fields()) if (kindOf(field) === 'line') before.set(field, '')
  // The click that sets the focus also makes the choice, so remember the value before it changes.
  const moments = ['focusin', 'pointerdown', 'keydown'] as const
  for (const moment of moments) document.addEventListener(moment, remember, true)
  return {
    isSafe: () =>
      !isAnythingOpen() &&
      !fields().some((field) => isUnsaved({ ...fieldNow(field), before: before.get(field) })),
    stop: () => {
      for (const moment of moments) document.removeEventListener(moment, remember, true)
    },
  }
}

const fields = () =>
  [...document.querySelectorAll('input, textarea, select, [contenteditable="true"]')].filter(
    isField,
  )

function isField(target: unknown): target is FieldElement {
  if (target instanceof HTMLInputElement)
    return !NO_FIELDS.includes(target.type) && !target.readOnly
  if (target instanceof HTMLTextAreaElement) return !target.readOnly
  return (
    target instanceof HTMLSelectElement ||
    (target instanceof HTMLElement && target.isContentEditable)
  )
}

const fieldNow = (field: FieldElement): FieldNow => ({
  kind: kindOf(field),
  value: wordsIn(field),
  isFocused: field === document.activeElement,
})

function kindOf(field: FieldElement): FieldNow['kind'] {
  const isSearch =
    field.matches('[type="search"], [role="combobox"]') || field.closest('search, [role="search"]')
  if (isSearch) return 'search'
  if (field instanceof HTMLSelectElement || isTicked(field)) return 'choice'
  return field instanceof HTMLInputElement ? 'line' : 'area'
}

function wordsIn(field: FieldElement) {
  if (isTicked(field)) return String(field.checked)
  return (
    (field instanceof HTMLElement && field.isContentEditable ? field.textContent : field.value) ??
    ''
  )
}

const isTicked = (field: FieldElement): field is HTMLInputElement =>
  field instanceof HTMLInputElement && (field.type === 'checkbox' || field.type === 'radio')

/** A dialog, or a button that's still sending. */
const isAnythingOpen = () =>
  document.querySelector(`[role="dialog"], [role="alertdialog"], dialog[open], ${BUSY_BUTTON}`) !==
  null
