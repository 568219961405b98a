/** Spec §2.1. */

import { PageHead } from '#app/kit/session/site.tsx'
import { useAddress } from '#app/kit/ui/address.ts'
import { ThreadComposer } from './threads/ui/thread-composer.tsx'

export default function CreateThreadScreen() {
  const company = new URLSearchParams(useAddress().search).get('company') ?? ''
  return (
    <div className="mx-auto w-full max-w-6xl px-5 py-8 md:py-12">
      <PageHead
        title="Create thread"
        text="Say what you can’t say at work, and ask what you can’t ask there."
      />
      <h1 className="font-serif text-4xl leading-tight font-medium tracking-tight text-ink md:text-5xl">
        Create thread
      </h1>
      <p className="mt-3 max-w-prose leading-relaxed text-pretty text-ink-soft">
        Say what you can’t say at work. We don’t store your name, but your words can give you away.
        Leave out anything only you would know.
      </p>
      <ThreadComposer key={company} company={company} />
    </div>
  )
}
