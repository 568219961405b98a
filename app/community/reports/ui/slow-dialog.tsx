/** Load it with `lazyDialog`. */
import { useState } from 'react'
import { ActDialog } from '#app/kit/forms/act-dialog.tsx'
import { Select } from '#app/kit/ui/field.tsx'
import type { OpenProps } from '#app/kit/ui/lazy-component.tsx'
import { SLOW_MINUTES, type SlowMinutes, slowText } from '../report.ts'
import { type PostQueries, rule } from '../ruling.data.ts'

export function SlowDialog({ open, onOpenChange, queries }: OpenProps & { queries: PostQueries }) {
  const [minutes, setMinutes] = useState<SlowMinutes>(10)
  return (
    <ActDialog
      open={open}
      onOpenChange={onOpenChange}
      title="Slow mode"
      words={{
        text: 'People can comment only this often. A line below the thread says so.',
        confirm: 'Slow it down',
        busy: 'Sending...',
      }}
      variant="primary"
      act={() =>
        rule(queries, 'Slow mode is on', (api, { id }) =>
          api('POST /api/v1/moderation/threads/{id}/slow', { params: { id }, body: { minutes } }),
        )
      }
    >
      {() => (
        <Select
          label="One comment in"
          value={minutes}
          onChange={({ target }) =>
            setMinutes(SLOW_MINUTES.find((each) => String(each) === target.value) ?? minutes)
          }
        >
          {SLOW_MINUTES.map((each) => (
            <option key={each} value={each}>
              {slowText(each)}
            </option>
          ))}
        </Select>
      )}
    </ActDialog>
  )
}
