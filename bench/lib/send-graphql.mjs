// A request of the attackers.

/** Gives the status of the answer, or `broken` where the gateway refused before it had the whole body. */
export async function send(url, authorization, body) {
  try {
    const response = await fetch(new URL('/graphql', url), {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body,
    });
    await response.arrayBuffer();
    return response.status;
  } catch {
    return 'broken';
  }
}
