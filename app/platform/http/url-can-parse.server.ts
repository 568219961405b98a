/**
 * Once Node 20 has optimized a caller of its own `URL.canParse`, it takes a text that is kept in Latin-1
 * for UTF-8, and https://bücher.example for no address. It begins so well that no test of a few calls
 * sees it: a site that has run for a while refuses such companies and links. So, the long way.
 */
URL.canParse = (address, base) => {
  try {
    new URL(address, base)
    return true
  } catch {
    return false
  }
}
