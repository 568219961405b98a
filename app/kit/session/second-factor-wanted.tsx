/** Shown in place of the administration to people whose account has no second factor yet. */
import { ShieldCheck } from 'lucide'
import { buttonClasses } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { settingsPath } from './settings.tsx'
import { useSite } from './site.tsx'

export function SecondFactorWanted() {
  const { flags } = useSite()
  return (
    <div className="mx-auto mt-[8svh] grid max-w-md justify-items-center px-5 py-20 text-center">
      <span className="inline-flex size-16 items-center justify-center rounded-full bg-tea-soft text-tea-strong">
        <Icon of={ShieldCheck} className="size-7" strokeWidth={1.5} />
      </span>
      <h1 className="mt-6 font-serif text-3xl leading-tight font-medium tracking-tight text-balance text-ink md:text-4xl">
        To help run this site, set up two-step login
      </h1>
      <p className="mt-4 leading-relaxed text-pretty text-ink-soft">
        People who help run this site log in with a password and a second step, which is a code from
        an app or a passkey. Until you set it up, your account works like any other member’s.
      </p>
      <a
        href={`${settingsPath(flags)}#two-step`}
        className={`${buttonClasses('primary', 'lg')} mt-8`}
      >
        Set it up
      </a>
    </div>
  )
}
