/** The selected case. When it's decided, the next one is selected. The focus never gets lost. */
import { type RefObject, useEffect, useRef, useState } from 'react'
import { TOGETHER_MAX } from '#app/community/reports/report.ts'
import { inheritorOf, stepFrom } from '#app/kit/ui/list-keys.ts'
import { toast } from '#app/kit/ui/toast.ts'
import { elementIdOf } from './case-card.tsx'

/** @param panel gets the focus when no case is left to have it */
export function useSelection(keys: readonly string[], panel: RefObject<HTMLElement | null>) {
  const [known, setKnown] = useState<Known>({ keys, selected: undefined })
  const list = keys.join()
  const hasChanged = known.keys.join() !== list
  const selected = hasChanged ? inheritorOf(known.keys, keys, known.selected) : known.selected
  if (hasChanged) setKnown({ keys, selected })

  const select = (key: string | undefined) => setKnown({ keys, selected: key })
  /** Gets the focus as soon as it's in the list. */
  const awaited = useRef<string>(undefined)
  const moveTo = (key: string | undefined) => {
    if (!key) return
    select(key)
    if (!focusCase(key)) awaited.current = key
  }
  const focusSelected = () => {
    if (!selected || !focusCase(selected)) panel.current?.focus({ preventScroll: true })
  }

  const wasUsed = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: looked at whenever the list changes
  useEffect(() => {
    if (awaited.current && focusCase(awaited.current)) {
      select(awaited.current)
      awaited.current = undefined
    } else if (wasUsed.current && document.activeElement === document.body) {
      // The focused button went away with its case.
      focusSelected()
    }
    wasUsed.current ||= selected !== undefined
  }, [list, selected])
  return {
    selected,
    select,
    moveTo,
    step: (by: 1 | -1) => moveTo(stepFrom(keys, selected, by)),
    focusSelected,
  }
}

/** A screen reader reads the focused case. Answers whether it's there. */
function focusCase(key: string): boolean {
  const element = document.getElementById(elementIdOf(key))
  element?.focus({ preventScroll: true })
  element?.scrollIntoView({ block: 'start' })
  return element !== null
}

interface Known {
  keys: readonly string[]
  selected: string | undefined
}

/** The cases that are selected to be decided together. One that leaves the list is no longer selected. */
export function useMarks(keys: readonly string[]) {
  const [known, setMarked] = useState<ReadonlySet<string>>(new Set())
  const marked = new Set(keys.filter((key) => known.has(key)))
  /** Answers whether there was room. */
  const mark = (next: Set<string>) => {
    const hasRoom = next.size <= TOGETHER_MAX
    if (hasRoom) setMarked(next)
    else toast({ title: `At most ${TOGETHER_MAX} are decided together` })
    return hasRoom
  }
  return {
    marked: marked as ReadonlySet<string>,
    clear: () => setMarked(new Set()),
    toggle(key: string) {
      const next = new Set(marked)
      if (!next.delete(key)) next.add(key)
      mark(next)
    },
    add: (...added: (string | undefined)[]) =>
      mark(new Set([...marked, ...added.filter((key) => key !== undefined)])),
  }
}
