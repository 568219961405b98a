/** Whether a badge stands beside what somebody writes. Nothing for whoever has none in this browser. */
import { useSessionKey } from '#app/kit/session/session.data.ts'
import { Checkbox } from '#app/kit/ui/text-field.tsx'
import { worksAt } from '../badge-texts.ts'
import { useBadges } from '../kept-badges.data.ts'

/** @param value the domain of the one that is chosen */
export function BadgeChoice({ value, onChange }: BadgeChoiceProps) {
  return useBadges(useSessionKey()).map(({ domain, company }) => (
    <Checkbox
      key={domain}
      label={`Show “${worksAt(company.name)}” beside it`}
      checked={value === domain}
      onChange={({ target }) => onChange(target.checked ? domain : undefined)}
    />
  ))
}

interface BadgeChoiceProps {
  value: string | undefined
  onChange: (domain: string | undefined) => void
}
