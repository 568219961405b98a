/** Which of several cases were not decided with the others, and why: mostly somebody else was faster. */
import { X } from 'lucide'
import { IconButton } from '#app/kit/ui/button.tsx'
import { Icon } from '#app/kit/ui/icon.tsx'

export interface LeftCase {
  id: string
  title: string
  why: string
}

export function LeftAsTheyWere({ cases, onClose }: { cases: LeftCase[]; onClose: () => void }) {
  return (
    <div role="status">
      {cases.length > 0 && (
        <section className="mb-4 flex items-start gap-3 rounded-xl border border-line-strong bg-sunken p-4 text-sm leading-6">
          <div className="min-w-0 flex-1">
            <h2 className="font-semibold text-ink">
              {cases.length === 1 ? 'One is as it was' : `${cases.length} are as they were`}
            </h2>
            <ul className="mt-1 grid gap-1 text-ink-soft">
              {cases.map(({ id, title, why }) => (
                <li key={id} className="break-words">
                  <bdi className="font-medium text-ink">{title}</bdi>: {why}
                </li>
              ))}
            </ul>
          </div>
          <IconButton label="Close" onClick={onClose} className="-mt-1.5 -mr-1.5">
            <Icon of={X} />
          </IconButton>
        </section>
      )}
    </div>
  )
}
