/** Which cases are selected to be decided together. What leaves the list is selected no more. */
import { useState } from 'react'
import { TOGETHER_MAX } from '#app/community/reports/report.ts'
import { toast } from '#app/kit/ui/toast.ts'

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
