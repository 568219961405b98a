/** The head of a personal page, which search engines skip. */
import { useSite } from './site.data.ts'

export function PageHead({ title, text }: { title: string; text: string }) {
  const { siteName } = useSite()
  return (
    <>
      <title>{`${title} – ${siteName}`}</title>
      <meta name="description" content={text} />
      <meta name="robots" content="noindex" />
    </>
  )
}
