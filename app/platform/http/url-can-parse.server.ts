/**
 * Once Node 20 has optimized a caller of `URL.canParse`, it misreads Latin-1 strings as UTF-8 and
 * rejects https://bücher.example. It takes many calls, so short tests don't notice, but a site
 * that's been running for a while refuses such links. So we parse them the long way.
 */
URL.canParse = (address, base) => {
  try {
    new URL(address, base)
    return true
  } catch {
    return false
  }
}
