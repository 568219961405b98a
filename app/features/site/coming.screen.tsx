/** Says honestly that a part of the site is still being built. */
import { buttonLook } from '../../ui/button.tsx'
import { LogoMark } from '../../ui/logo-mark.tsx'
import { useSite } from './site.data.ts'

/** @param props.title what the part will be called, such as "Discussions" */
export function ComingScreen({ title }: { title: string }) {
  const { siteName } = useSite()
  return (
    <>
      <title>{`${title} – ${siteName}`}</title>
      <meta name="description" content={`${title}: this part of ${siteName} is being built.`} />
      <meta name="robots" content="noindex" />
      <div className="m-auto grid max-w-md justify-items-center px-5 py-20 text-center">
        <LogoMark className="size-16 text-line-strong" />
        <h1 className="mt-6 font-serif text-4xl font-medium tracking-tight text-balance text-ink md:text-5xl">
          {title}
        </h1>
        <p className="mt-5 leading-relaxed text-pretty text-ink-soft">
          This part of the site is being built and is not there yet. Until it opens, you can look
          companies up and see what is known about them.
        </p>
        <a href="/companies" className={`${buttonLook('primary', 'lg')} mt-9`}>
          Browse companies
        </a>
      </div>
    </>
  )
}
