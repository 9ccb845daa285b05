B
past_valueJ€¿~¿†¾B?