import { useSessionKey } from '#app/kit/session/session.data.ts'
import { Checkbox } from '#app/kit/ui/field.tsx'
import { worksAt } from '../badge-texts.ts'
import { useBadges } from '../kept-badges.data.ts'

/** Renders nothing without a badge. @param value domain of the chosen one */
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
