/**
 * Once Node 20 has optimised a caller of `URL.canParse`, it misreads Latin-1 strings as UTF-8 and
 * rejects https://bücher.example. It takes many calls, so short tests don't notice, but a site that
 * has run for a while refuses such links. Hence the long way.
 */
URL.canParse = (address, base) => {
  try {
    new URL(address, base)
    return true
  } catch {
    return false
  }
}
