import { useQuery } from '@tanstack/react-query'
import { useApi } from '#app/api/client.ts'
import { cx } from '#app/kit/ui/cx.ts'
import { Options, Select } from '#app/kit/ui/field.tsx'
import type { ContactContract } from '../contact.contract.ts'
import { choicesQuery, type Narrowed } from '../contact.data.ts'
import { ASSIGNED_NAMES, type Assigned } from '../contact.ts'

export function InboxNarrow({ narrowed, onChoose, className }: InboxNarrowProps) {
  const { data } = useQuery(choicesQuery(useApi<ContactContract>()))
  const { assigned, label } = narrowed
  const labels = [...new Set([...(label ? [label] : []), ...(data?.labels ?? [])])]
  return (
    <div className={cx('flex flex-wrap gap-3', className)}>
      <div className="min-w-0 flex-1 basis-32 sm:max-w-44">
        <Select
          label="Assignee"
          isLabelHidden
          value={assigned}
          onChange={(event) => onChoose({ ...narrowed, assigned: event.target.value as Assigned })}
        >
          <Options names={ASSIGNED_NAMES} />
        </Select>
      </div>
      {labels.length > 0 && (
        <div className="min-w-0 flex-1 basis-32 sm:max-w-44">
          <Select
            label="Label"
            isLabelHidden
            value={label ?? ''}
            onChange={(event) => onChoose({ ...narrowed, label: event.target.value || undefined })}
          >
            <option value="">Any label</option>
            <Options names={Object.fromEntries(labels.map((each) => [each, each]))} />
          </Select>
        </div>
      )}
    </div>
  )
}

interface InboxNarrowProps {
  narrowed: Narrowed
  onChoose: (narrowed: Narrowed) => void
  className?: string
}
