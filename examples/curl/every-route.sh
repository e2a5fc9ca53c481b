#!/usr/bin/env bash
# Calls every REST route of the contract once, from a token to a download, and shows each answer. It needs bash and curl, and a development gateway:
# `npm start` in the root of the project. The card and the document that it adds stay there, as they do in a bank.
set -euo pipefail

url=${TILLGATE_URL:-http://127.0.0.1:4000}
account=${1:-demo-1009}
other_customer=0000d008-0000-4000-8000-000000000000
card_holder=0000d009-0000-4000-8000-000000000000

answer=$(mktemp)
trap 'rm -f "$answer" "$answer".*' EXIT

# The token goes to curl in a file that nobody else can read: whoever looks at the list of processes sees its arguments.
curlrc=$answer.curlrc
(umask 077 && : > "$curlrc")

# Sends a request and shows it with its answer. The first argument is the status that it must have.
call() {
  local expected=$1 method=$2 path=$3 status
  shift 3
  printf '\n%s %s\n' "$method" "$path"
  # No answer at all, 429 and 503 are worth another try, and `Retry-After` is heeded. A write may be sent again since it has a key.
  status=$(curl --config "$curlrc" --silent --show-error --max-time 20 --retry 4 --retry-all-errors --retry-connrefused \
    --request "$method" "$url$path" --output "$answer" --dump-header "$answer.headers" --write-out '%{http_code}' "$@")
  printf '%s  ' "$status"
  case $status-$(header content-type) in
    304-*) echo 'as before' ;;
    *json*) cat "$answer" && echo ;;
    *) printf '%s, %d bytes\n' "$(header content-type)" "$(wc -c < "$answer")" ;;
  esac
  if [ "$status" != "$expected" ]; then
    echo "Expected was $expected." >&2
    exit 1
  fi
}

# A write: like call, with a key that is new for each thing to be done, and the same for each attempt at it.
write() {
  local expected=$1 method=$2 path=$3
  shift 3
  call "$expected" "$method" "$path" --header "X-Idempotency-Key: $(new_key)" "$@"
}

new_key() {
  od -An -N16 -tx1 /dev/urandom | tr -d ' \n'
}

header() {
  tr -d '\r' < "$answer.headers" | awk -v name="$1:" 'tolower($1) == name { $1 = ""; sub(/^ /, ""); value = $0 } END { print value }'
}

# The first text under this name in the last answer. A program would parse the JSON.
field() {
  grep -o "\"$1\":\"[^\"]*\"" "$answer" | head -n 1 | cut -d '"' -f 4
}

# A card number that nobody has yet: fifteen digits of a range that no bank issues, and the check digit (ISO/IEC 7812-1).
card_number() {
  local digits sum=0 place digit
  printf -v digits '99%05d%05d%03d' $RANDOM $RANDOM $((RANDOM % 1000))
  for ((place = 0; place < 15; place++)); do
    digit=$((${digits:14 - place:1} * (2 - place % 2)))
    sum=$((sum + digit / 10 + digit % 10))
  done
  echo "$digits$(((10 - sum % 10) % 10))"
}

json=(--header 'Content-Type: application/json')

# A token, by the client credentials grant. A real bank has an issuer of its own for that.
call 200 POST /oauth/token --user demo:demo-secret --data grant_type=client_credentials > /dev/null
printf 'header = "Authorization: Bearer %s"\n' "$(field access_token)" > "$curlrc"

# Beneficiaries: those who receive the account when its owner dies (contract 4.1 to 4.5).
write 201 POST "/accounts/$account/beneficiaries" "${json[@]}" --data '{
  "name": { "first": "Ada", "middle": "M", "last": "Villaseñor" },
  "taxId": "900-70-1234", "taxIdType": "ITIN", "dateOfBirth": "2011-04-05",
  "addresses": [{ "line1": "12 Elm Street", "city": "Springfield", "state": "IL", "postalCode": "62704", "country": "US", "type": "HOME" }],
  "emails": [{ "type": "HOME", "email": "ada@example.test" }],
  "phones": [{ "type": "HOME", "country": "US", "number": "+1 (555) 010-0199" }],
  "beneficiaryType": "PRIMARY", "relationship": "CHILD", "sharePercentage": 60
}'
beneficiary=$(header location)
call 200 GET "/accounts/$account/beneficiaries?offSet=0&limit=10"
call 200 GET "$beneficiary"
write 200 PATCH "$beneficiary" "${json[@]}" --data '{ "sharePercentage": 40, "phones": [] }'
write 200 DELETE "$beneficiary"
call 404 GET "$beneficiary"

# Owners (4.6 and 4.7): each customer has a result of its own.
write 200 POST "/accounts/$account/owners/add" "${json[@]}" --data '{ "holders": [{ "customerId": "'$other_customer'" }] }'
write 200 POST "/accounts/$account/owners/remove" "${json[@]}" --data '{ "holders": [{ "customerId": "'$other_customer'" }] }'

# The history (4.10): a page, the page after it, and a filter.
call 200 GET "/accounts/$account/transactions?limit=2"
call 200 GET "$(field href)"
call 200 GET "/accounts/$account/transactions?category=ACH&minAmount=100&startTime=2025-03-01&endTime=2025-03-31"

# A card (4.11). Its number is sealed, and nobody is shown it again; the CVV is not even kept.
write 201 POST /cards/v1/cards "${json[@]}" --data '{
  "type": "Physical", "number": "'"$(card_number)"'", "currency": "USD", "expiration": "1239", "cvv": "123",
  "accountId": "'"$account"'", "cardHolderId": "'$card_holder'", "cardProductId": "classic", "pin": "4711", "status": "Active"
}'
call 200 GET "$(header location)"

# Documents (4.8 and 4.9): a partner's statement goes up, is listed, and comes down, whole and in part.
pdf=$(dirname "${BASH_SOURCE[0]}")/statement.pdf
write 201 POST "/accounts/$account/statements?statementDate=2025-12-31&description=December" \
  --header 'Content-Type: application/pdf' --data-binary "@$pdf"
document=$(header location)
call 200 GET "/accounts/$account/statements?documentType=Statements"
call 200 GET "$document"
cmp "$answer" "$pdf"
call 206 GET "$document" --header 'Range: bytes=0-7'
call 304 GET "$document" --header "If-None-Match: $(header etag)"

# What an operator asks.
call 200 GET /livez
call 200 GET /readyz
