// A request of the attackers.

/** Gives the status of the answer. */
export async function send(url, authorization, body) {
  const response = await fetch(new URL('/graphql', url), {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body,
  });
  await response.arrayBuffer();
  return response.status;
}
