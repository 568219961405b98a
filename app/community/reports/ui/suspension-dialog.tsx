/** Load it with `lazyDialog`. */
import { useState } from 'react'
import {
  type Reason,
  SUSPENSION_DAYS,
  type SuspensionDays,
} from '#app/identity/accounts/suspension.ts'
import { ActDialog } from '#app/kit/forms/act-dialog.tsx'
import { Select } from '#app/kit/ui/field.tsx'
import type { OpenProps } from '#app/kit/ui/lazy-component.tsx'
import { decide, type PostQueries } from '../decision.data.ts'
import { ReasonChoices } from './reason-choices.tsx'

export function SuspensionDialog(props: SuspensionDialogProps) {
  const { open, onOpenChange, queries, hasDigits } = props
  const [days, setDays] = useState<SuspensionDays>(7)
  const [reason, setReason] = useState(props.reason)
  return (
    <ActDialog<'reason'>
      open={open}
      onOpenChange={onOpenChange}
      title="Suspend this author?"
      texts={{
        text: 'They can’t post under any name during this time. You won’t find out who they are.',
        confirm: 'Suspend',
        busy: 'Sending...',
      }}
      check={() => ({ reason: reason ? undefined : 'Please choose a reason' })}
      act={async () => {
        if (!reason) return
        await decide(queries, 'Author suspended', (api, params, seen) =>
          api('POST /api/v1/moderation/posts/{kind}/{id}/suspend', {
            params,
            body: { days, reason, seen },
          }),
        )
      }}
    >
      {(errors) => (
        <>
          <ReasonChoices
            reason={reason}
            onChoose={setReason}
            hasDigits={hasDigits}
            error={errors.reason}
          />
          <Select
            label="For how long"
            value={days}
            onChange={(event) => {
              const chosen = Number(event.target.value)
              setDays(SUSPENSION_DAYS.find((each) => each === chosen) ?? days)
            }}
          >
            {SUSPENSION_DAYS.map((each) => (
              <option key={each} value={each}>
                {each === 1 ? '1 day' : `${each} days`}
              </option>
            ))}
          </Select>
        </>
      )}
    </ActDialog>
  )
}

type SuspensionDialogProps = OpenProps & {
  queries: PostQueries
  reason?: Reason
  hasDigits?: boolean
}
