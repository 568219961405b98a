/** What an address shows that leads nowhere. Spec §2.17. */
import { buttonLook } from '../../../ui/button.tsx'
import { LogoMark } from '../../../ui/logo-mark.tsx'
import { useSite } from '../site.data.ts'

export function NotFound() {
  const { siteName } = useSite()
  return (
    <>
      <title>{`Page not found – ${siteName}`}</title>
      <meta name="description" content="There is no page at this address." />
      <meta name="robots" content="noindex" />
      <div className="m-auto grid max-w-md justify-items-center px-5 py-20 text-center">
        <LogoMark className="size-20 text-line-strong" />
        <h1 className="mt-6 font-serif text-8xl leading-none font-medium tracking-tight text-ink md:text-9xl">
          404
        </h1>
        <p className="mt-5 text-lg leading-relaxed text-balance text-ink-soft">
          Oops! We couldn't find the page you're looking for.
        </p>
        <a href="/" className={`${buttonLook('primary', 'lg')} mt-9`}>
          Return to Home
        </a>
      </div>
    </>
  )
}
