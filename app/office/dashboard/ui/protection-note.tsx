/** Why some numbers are missing, for whoever reads them and for those whom they are about. */
import { ShieldCheck } from 'lucide'
import { Icon } from '#app/kit/ui/icon.tsx'
import { PROTECTION } from '../dashboard.ts'

export function ProtectionNote() {
  return (
    <section
      aria-labelledby="dashboard-protection"
      className="mt-12 rounded-xl bg-sunken p-5 md:p-7"
    >
      <h2
        id="dashboard-protection"
        className="flex items-center gap-2.5 font-serif text-xl font-medium text-ink"
      >
        <Icon of={ShieldCheck} className="size-5 shrink-0 text-leaf" />
        How these numbers protect people
      </h2>
      <ul className="mt-4 grid max-w-prose list-disc gap-2 pl-5 text-sm leading-6 text-ink-soft">
        {PROTECTION.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </section>
  )
}
