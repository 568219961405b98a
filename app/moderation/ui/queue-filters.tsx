/** Narrows the queue by why a case waits and by the company that it is about, each with how many there are. */
import { grouped } from '#app/kit/ui/number.ts'
import { Select } from '#app/kit/ui/select.tsx'
import type { QueueFilter, QueuePage } from '../moderation.contract.ts'
import { CASE_REASONS, caseReasonName } from '../moderation.ts'

export function QueueFilters({ filter, choices, onChange }: QueueFiltersProps) {
  const { reasons = [], companies = [] } = choices ?? {}
  // What is chosen stays a choice when nothing of it is left.
  const whys = CASE_REASONS.filter(
    (each) => each === filter.why || reasons.some(({ why }) => why === each),
  )
  // The count comes first: a phone cuts the end of a long line.
  const counted = (name: string, count: number | undefined) =>
    count === undefined ? name : `${grouped(count)} · ${name}`
  const isMissing = filter.company && !companies.some(({ id }) => id === filter.company)
  /** Of what there is none, once that is known. */
  const none = choices && 0
  return (
    <div className="mb-3 grid grid-cols-2 gap-2.5 md:mb-4">
      <Select
        label="Reason"
        isLabelHidden
        value={filter.why ?? ''}
        onChange={({ target }) =>
          onChange({ ...filter, why: CASE_REASONS.find((each) => each === target.value) })
        }
      >
        <option value="">Any reason</option>
        {whys.map((each) => (
          <option key={each} value={each}>
            {counted(caseReasonName(each), reasons.find(({ why }) => why === each)?.count ?? none)}
          </option>
        ))}
      </Select>
      <Select
        label="Company"
        isLabelHidden
        value={filter.company ?? ''}
        onChange={({ target }) => onChange({ ...filter, company: target.value || undefined })}
      >
        <option value="">Any company</option>
        {isMissing && <option value={filter.company}>{counted('The chosen company', none)}</option>}
        {companies.map(({ id, name, count }) => (
          <option key={id} value={id}>
            {counted(name, count)}
          </option>
        ))}
      </Select>
    </div>
  )
}

interface QueueFiltersProps {
  filter: QueueFilter
  /** Undefined until they are known. */
  choices: Pick<QueuePage, 'reasons' | 'companies'> | undefined
  onChange: (filter: QueueFilter) => void
}
